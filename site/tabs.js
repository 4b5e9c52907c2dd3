/**
 * On the site, adjacent blocks below `<!-- tabs: SQLite, PostgreSQL -->` have a tab each, with these names; on GitHub they
 * stand below each other.
 */
export function codeTabs(markdown) {
  markdown.core.ruler.before('normalize', 'code-tabs', (state) => {
    state.src = state.src.replaceAll(
      /^<!-- tabs: (.+) -->\n+((?:```\w+\n[\s\S]*?^```$\n*)+)/gm,
      (_, names, code) => {
        const labels = names.split(', ')
        const blocks = code.match(/^```\w+\n[\s\S]*?^```$/gm)
        if (blocks.length < labels.length) throw new Error(`${blocks.length} blocks below the tabs ${names}`)
        const tabs = labels.map((name, at) => blocks[at].replace(/^```\w+/, `$& [${name}]`))
        return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::\n\n${blocks.slice(labels.length).join('\n\n')}\n\n`
      },
    )
  })
}

/** On the site, a block that only runs `npm install` has a tab for each package manager; on GitHub it is as written. */
export function installTabs(markdown) {
  markdown.core.ruler.before('normalize', 'install-tabs', (state) => {
    state.src = state.src.replaceAll(/^```sh\n((?:npm install .*\n)+)```$/gm, (_, commands) => {
      const tabs = managers.map(
        ([name, add]) => `\`\`\`sh [${name}]\n${commands.replaceAll(/^npm install/gm, add)}\`\`\``,
      )
      return `::: code-group\n\n${tabs.join('\n\n')}\n\n:::`
    })
  })
}

const managers = [
  ['npm', 'npm install'],
  ['pnpm', 'pnpm add'],
  ['yarn', 'yarn add'],
]
