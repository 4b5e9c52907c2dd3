/** A stored hash whose settings were parsed and are within the limits. */
export interface OpenedHash {
  /** The cost of verifying, in units of its kind. */
  work: number
  /** Whether the password matches this hash. Rejects on a system failure. */
  verify(password: string): Promise<boolean>
}

/** The hashes of one other system. */
export interface ForeignHashes {
  /** `null` for a hash of another kind, a malformed one, and one whose cost exceeds the limits. */
  open(hash: string): OpenedHash | null
  /** The cost of the most expensive stored hash, in the same units. */
  usualWork: number
  /** Takes as long as verifying this password against a hash of that cost. */
  spend(work: number, password: string): Promise<void>
}

/**
 * Stops startup if a setting is invalid.
 * @throws RangeError with one line that names the option
 */
export function checkCost(kind: string, name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return
  throw new RangeError(`${kind}: ${name} must be a whole number from ${min} to ${max}, not ${value}`)
}
