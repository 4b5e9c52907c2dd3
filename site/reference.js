import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { filesOf, pages, root } from './pages.js'

/** What people use first. */
const first = ['fastify-accounts', '@fastify-accounts/client']

/** Of these, only what the docs or the examples import is theirs to use; the rest is for the plugin's own packages. */
const buildingBlocks = 'fastify-accounts/features'

const links = /\[([^\]]*)\]\(([^)#\s]+\.md)(?:#[^)]*)?\)/g

/**
 * Takes out of TypeDoc's pages what packages export for each other alone. A page stays if the docs or the examples name
 * what it is about, or if a page that stays leads there. Then puts the packages in the order in which people need them.
 */
export function tidyReference(folder) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll('\\', '/'),
  )
  const texts = new Map(
    names
      .filter((name) => name.endsWith('.md'))
      .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
  )
  const all = [...texts.keys()]
  // Types are kept as well if nothing leads there, such as those that a package adds to another's, but not those of values
  // that are taken out.
  const internal = withTargets(all.filter(isInternal), texts)
  const kept = withTargets(
    all.filter((page) => !isSymbol(page) || isNamed(page) || !(isOfFeatures(page) || internal.has(page))),
    texts,
  )
  for (const [page, text] of texts) {
    if (!kept.has(page)) rmSync(join(folder, page))
    else
      writeFileSync(
        join(folder, page),
        page === 'index.md' ? sorted(text) : withoutDeadLinks(page, text, kept),
      )
  }
  const file = join(folder, 'navigation.json')
  const packages = JSON.parse(readFileSync(file, 'utf8')).map((each) => mainFirst(within(each, kept)))
  writeFileSync(file, JSON.stringify(packages.sort((a, b) => byNeed(a.title, b.title))))
}

const isType = (page) => /\/(classes|interfaces|type-aliases|enumerations)\//.test(page)
const isSymbol = (page) => isType(page) || /\/(variables|functions)\//.test(page)

const { named, imported } = namesInDocs()
const sources = filesOf('packages')
  .filter((file) => /^packages\/[\w-]+\/src\/.*\.ts$/.test(file))
  .map((file) => [file.split('/')[1], new Set(wordsOf(readFileSync(join(root, file), 'utf8')))])

const isOfFeatures = (page) => page.startsWith(buildingBlocks)

function isNamed(page) {
  return (isOfFeatures(page) ? imported : named).has(posix.basename(page, '.md'))
}

/** A function or constant that the docs don't name, and that another package uses. */
function isInternal(page) {
  const name = posix.basename(page, '.md')
  const [, folder = 'accounts'] = /^@fastify-accounts\/([\w-]+)/.exec(page) ?? []
  const isUsed = sources.some(([each, words]) => each !== folder && words.has(name))
  return isSymbol(page) && !isType(page) && !isNamed(page) && isUsed
}

/** These pages, and those that they lead to, at any distance. */
function withTargets(start, texts) {
  const reached = new Set(start)
  for (const page of reached)
    if (isSymbol(page)) for (const target of targetsOf(page, texts)) reached.add(target)
  return reached
}

/** What the code in pages and examples names, and what it imports of the building blocks. */
function namesInDocs() {
  const examples = filesOf('examples').filter((file) => /\.[jt]sx?$/.test(file))
  const code = [
    ...pages.flatMap(
      (page) => readFileSync(join(root, page), 'utf8').match(/^```.*?^```|`[^`\n]+`/gms) ?? [],
    ),
    ...examples.map((file) => readFileSync(join(root, file), 'utf8')),
  ].join('\n')
  const imports = [...code.matchAll(/import (?:type )?\{([^}]*)\} from '([^']+)'/g)]
  return {
    named: new Set(wordsOf(code)),
    imported: new Set(
      imports.filter(([, , from]) => from === buildingBlocks).flatMap(([, list]) => wordsOf(list)),
    ),
  }
}

function wordsOf(text) {
  return text.match(/[A-Za-z_$][\w$]*/g) ?? []
}

/** The pages that a page leads to, or whose types its code names; not those of types that are made from its own. */
function targetsOf(page, texts) {
  const text = texts.get(page).replaceAll(/^## (Extended|Implemented) by\n(?:(?!^## ).*\n)*/gm, '')
  const linked = [...text.matchAll(links)].map(([, , path]) => posix.join(posix.dirname(page), path))
  const words = new Set((text.match(/^```.*?^```/gms) ?? []).flatMap(wordsOf))
  const isAmong = (each) => isType(each) && words.has(posix.basename(each, '.md')) && sameModule(page, each)
  return [...linked.filter((each) => texts.has(each)), ...[...texts.keys()].filter(isAmong)]
}

/** Whether names on a page can mean what another is about: of its own module, or of the plugin. */
function sameModule(page, other) {
  const moduleOf = (each) => posix.dirname(posix.dirname(each))
  return moduleOf(page) === moduleOf(other) || moduleOf(other) === 'fastify-accounts/plugin'
}

/** Lines of lists without their entry, and links without their address, where the page has been taken out. */
function withoutDeadLinks(page, text, kept) {
  const isThere = (path) => kept.has(posix.join(posix.dirname(page), path))
  return text
    .replaceAll(/^- \[[^\]]*\]\(([^)#\s]+\.md)\)\n/gm, (line, path) => (isThere(path) ? line : ''))
    .replaceAll(links, (link, name, path) => (isThere(path) ? link : name))
    .replaceAll(/^## .+\n\n(?=## |$(?![\s\S]))/gm, '')
}

/** Entries of the menu, without those whose pages have been taken out. */
function within(entry, kept) {
  if (entry.children === undefined) return entry
  const children = entry.children
    .filter(({ path }) => !path || kept.has(path))
    .map((child) => within(child, kept))
    .filter((child) => child.path || child.children === undefined || child.children.length > 0)
  return { ...entry, children }
}

/** Of a package with several modules, what is imported by the package's own name. */
function mainFirst(entry) {
  const isMain = ({ title }) => title === 'plugin' || title === posix.basename(entry.title)
  return { ...entry, children: entry.children.toSorted((a, b) => Number(isMain(b)) - Number(isMain(a))) }
}

/** The list of packages on the reference's first page. */
function sorted(text) {
  const entries = text.match(/^- \[.*\n/gm) ?? []
  const nameOf = (line) => /\[(.+?)\]/.exec(line)[1]
  const inOrder = entries.toSorted((a, b) => byNeed(nameOf(a), nameOf(b)))
  return text.replaceAll(/^- \[.*\n/gm, () => inOrder.shift())
}

function byNeed(one, other) {
  const rank = (name) => (first.includes(name) ? first.indexOf(name) : first.length)
  return rank(one) - rank(other) || one.localeCompare(other)
}
