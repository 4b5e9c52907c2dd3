/** The buttons of a form of the core, which escapes everything else. */
const plain = /<button type="submit">/g
/** Those that a script gives something to do, beside a form. */
const scripted = /<button type="button"(?! data-part)/g

/** Makes the first button of a form of the core the primary one of its page, unless it has one already, and the others quiet. */
export function withKinds(main: string, hasPrimary: boolean): string {
  let isPrimary = !hasPrimary
  const all = main.replace(scripted, '$& data-part="button" data-kind="quiet"')
  return all.replace(plain, () => {
    const kind = isPrimary ? 'primary' : 'quiet'
    isPrimary = false
    return `<button type="submit" data-part="button" data-kind="${kind}">`
  })
}
