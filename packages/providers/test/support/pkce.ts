import { hash } from 'node:crypto'

/** S256 of RFC 7636. */
export const challengeOf = (verifier: string): string => hash('sha256', verifier, 'base64url')
