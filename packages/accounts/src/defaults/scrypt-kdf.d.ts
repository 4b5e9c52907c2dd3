/** What we call of scrypt-kdf 4: its own declarations leave out the default export, which is all it has. */
declare module 'scrypt-kdf' {
  const scrypt: {
    /** 96 bytes. */
    kdf(passphrase: string, params: { logN: number; r: number; p: number }): Promise<Uint8Array>
    /** Throws for a key that is malformed; obeys whatever parameters it holds. */
    verify(key: Uint8Array, passphrase: string): Promise<boolean>
  }
  export default scrypt
}
