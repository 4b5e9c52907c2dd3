/** The buttons of a form of the core, which escapes everything else. */
const plain = /<button type="submit">/g

/** Makes the first button of a page of the core its primary one, unless it has one already, and the others quiet. */
export function withKinds(main: string, hasPrimary: boolean): string {
  let isPrimary = !hasPrimary
  return main.replace(plain, () => {
    const kind = isPrimary ? 'primary' : 'quiet'
    isPrimary = false
    return `<button type="submit" data-part="button" data-kind="${kind}">`
  })
}
