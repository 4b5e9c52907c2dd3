import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { checkLinks } from '../links.js'
import { readMap } from '../map.js'
import { mermaidAsPicture } from '../mermaid.js'
import { linksToSite, onSite, root } from '../pages.js'

const map = readMap()

export default defineConfig({
  title: 'fastify-accounts',
  description: 'User accounts for Fastify',
  lang: 'en',
  srcDir: root,
  srcExclude: ['README.md', 'packages', 'test', 'coverage', 'examples/*-store'].flatMap((name) => [
    name,
    `${name}/**`,
  ]),
  outDir: `${root}site/dist`,
  rewrites: onSite,
  cleanUrls: true,
  markdown: {
    // `{pk}` is a part of a path here, and no list of attributes.
    attrs: { disable: true },
    // As GitHub makes them, so that a link to a heading works in both places.
    anchor: {
      slugify: (text) =>
        text
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
          .replaceAll(' ', '-'),
    },
    config: (markdown) => markdown.use(linksToSite).use(mermaidAsPicture),
  },
  themeConfig: {
    nav: map.slice(0, 6).map(({ text, items }) => ({ text, link: items[0].link })),
    sidebar: map.map((section) => ({ ...section, collapsed: false })),
    outline: [2, 3],
    search: { provider: 'local' },
    externalLinkIcon: true,
  },
  // The landing page is docs/README.md below a head of its own; on GitHub the head is the page's first lines.
  transformPageData(page) {
    if (page.filePath !== 'docs/README.md') return
    page.frontmatter = {
      layout: 'home',
      hero: {
        name: 'fastify-accounts',
        text: 'User accounts for Fastify',
        tagline:
          'Sign up, log in, reset, sessions, staff: real routes in your app, on your database, with your mail.',
        actions: [
          { theme: 'brand', text: 'Start', link: '/start' },
          { theme: 'alt', text: 'How it works', link: '/how-it-works' },
        ],
      },
    }
  },
  vite: { plugins: [vueOfTheSite()] },
  buildEnd: checkLinks,
})

/** The pages are not below site/, where Vue is installed: what they import of it is looked for from here. */
function vueOfTheSite() {
  return {
    name: 'vue-of-the-site',
    enforce: 'pre',
    resolveId(id, importer, options) {
      if (!/^vue(\/|$)/.test(id) || !importer?.endsWith('.md')) return null
      return this.resolve(id, fileURLToPath(import.meta.url), { ...options, skipSelf: true })
    },
  }
}
