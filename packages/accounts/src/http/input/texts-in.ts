/** The texts of a form that is shown again; its body may be anything. */
export function textsIn(body: unknown): Readonly<Record<string, string>> {
  const texts = Object.entries(Object(body)).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts) as Record<string, string>
}
