/**
 * What a call does in the adapter's database, so an outage of its writes alone is told from its end: `takes` writes only if
 * there is something to take.
 */
export type Effect = 'reads' | 'writes' | 'takes'

type MethodsOf<Seam> = {
  [Name in keyof Seam]-?: NonNullable<Seam[Name]> extends (...args: never[]) => unknown ? Name : never
}[keyof Seam]

type OptionalOf<Seam> = {
  [Name in keyof Seam]-?: undefined extends Seam[Name] ? Name : never
}[keyof Seam]

/**
 * What every adapter of a seam has, and what the plugin calls if there is more. A method that is neither listed nor among
 * `Others` doesn't compile.
 */
export interface SeamMethods<Seam, Others extends keyof Seam = never> {
  required: Record<Exclude<MethodsOf<Seam>, OptionalOf<Seam> | Others>, Effect>
  optional: Record<Exclude<MethodsOf<Seam> & OptionalOf<Seam>, Others>, Effect>
}

export function namesOf<Name extends string>(methods: Readonly<Record<Name, Effect>>): Name[] {
  return Object.keys(methods) as Name[]
}
