/** The last parameter of a function, which has its options. */
export type OptionsOf<Call extends (...args: never) => unknown> =
  Required<Parameters<Call>> extends readonly [...unknown[], infer Last] ? Extract<Last, object> : never

/** The optional properties that take no `undefined` with `exactOptionalPropertyTypes`, and those of groups of options. */
export type Refusing<T> = T extends unknown
  ? Own<T> | { [Key in keyof T & string]-?: Inner<T[Key], Key> }[keyof T & string]
  : never

type Own<T> = {
  [Key in keyof T & string]-?: object extends Pick<T, Key>
    ? { [Name in Key]: undefined } extends Pick<T, Key>
      ? never
      : Key
    : never
}[keyof T & string]

/** A group has neither methods, as an adapter has, nor an index, as a list or a record has. */
type Inner<Value, Key extends string> = Value extends object
  ? Value extends ((...args: never) => unknown) | readonly unknown[]
    ? never
    : string extends keyof Value
      ? never
      : Extract<Value[keyof Value], (...args: never) => unknown> extends never
        ? Own<Value> extends infer Name extends string
          ? `${Key}.${Name}`
          : never
        : never
  : never
