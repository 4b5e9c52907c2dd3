const picture =
  /<picture>\s*<source media="\(prefers-color-scheme: dark\)" srcset="([^"]+)">\s*<img alt="([^"]*)" src="([^"]+)">\s*<\/picture>/g

/** On the site, a picture follows the site's own switch between light and dark; on GitHub, the reader's system. */
export function pictures(markdown) {
  markdown.core.ruler.before('normalize', 'pictures', (state) => {
    state.src = state.src.replaceAll(
      picture,
      (_, dark, alt, light) =>
        `<img class="only-light" loading="lazy" alt="${alt}" src="${light}"><img class="only-dark" loading="lazy" alt="${alt}" src="${dark}">`,
    )
  })
}
