/** The buttons of a form of the core, which escapes everything else. */
const plain = /<button type="submit">/g

/**
 * Makes the first button of a page of the core its primary one, unless it has one already, and the others quiet. Without a
 * button, the link that it leads on with is the primary one.
 */
export function withKinds(main: string, hasPrimary: boolean): string {
  let isPrimary = !hasPrimary && !main.includes('data-kind="primary"')
  const marked = main.replace(plain, () => {
    const kind = isPrimary ? 'primary' : 'quiet'
    isPrimary = false
    return `<button type="submit" data-part="button" data-kind="${kind}">`
  })
  return isPrimary
    ? marked.replace('<p><a href="', '<p><a data-part="button" data-kind="primary" href="')
    : marked
}
