/** A stored hash whose settings were read and found bearable. */
export interface OpenedHash {
  /** What verifying costs, in units of its kind. */
  work: number
  /** Whether the password made this hash. Rejects when the system fails. */
  verify(password: string): Promise<boolean>
}

/** The hashes of one other system. */
export interface ForeignHashes {
  /** `null` for a hash of another kind, one that is malformed, and one that asks for more than the ceilings allow. */
  open(hash: string): OpenedHash | null
  /** What the costliest of the stored hashes costs, in the same units. */
  usualWork: number
  /** Takes as long as verifying a hash that costs so much. */
  spend(work: number): Promise<void>
}

/**
 * Stops the start where a setting of one's own cannot be.
 * @throws RangeError of one line that names the option
 */
export function checkCost(kind: string, name: string, value: number, min: number, max: number): void {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return
  throw new RangeError(`${kind}: ${name} must be a whole number from ${min} to ${max}, not ${value}`)
}
