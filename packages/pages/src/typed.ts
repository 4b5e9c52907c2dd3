/** What was sent with a form: texts by field; several values of one name are a list. */
export type Typed = Readonly<Record<string, string>>
