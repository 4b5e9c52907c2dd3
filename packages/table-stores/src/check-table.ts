/** @throws TypeError that names the first function that is missing, or isn't one */
export function checkTable(
  table: object,
  where: string,
  { required, optional = [] }: { required: readonly string[]; optional?: readonly string[] },
): void {
  for (const name of [...required, ...optional]) {
    const member: unknown = Reflect.get(table, name)
    if (typeof member === 'function' || (member === undefined && optional.includes(name))) continue
    throw new TypeError(`${where}: ${name} must be a function, got ${member === null ? null : typeof member}`)
  }
}
