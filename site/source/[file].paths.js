import { readFileSync, statSync } from 'node:fs'
import { extname, join, posix } from 'node:path'
import { filesOf, onSite, root, sources } from '../pages.js'

export default {
  paths: () =>
    sources().map((file) => ({ params: { file: posix.basename(onSite(file), '.md') }, content: show(file) })),
}

function show(file) {
  const path = join(root, file)
  if (statSync(path).isDirectory()) {
    const files = filesOf(file).map((each) => `- [${each}](/${onSite(each)})`)
    return `# ${file}\n\n${files.join('\n')}\n`
  }
  return `# ${file}\n\n\`\`\`\`${languageOf(file)}\n${readFileSync(path, 'utf8')}\`\`\`\`\n`
}

function languageOf(file) {
  return extname(file)
    .slice(1)
    .replace(/^m(?=[jt]s$)/, '')
}
