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
