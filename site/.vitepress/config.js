import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { landmarks } from '../landmarks.js'
import { checkLinks } from '../links.js'
import { writeLlms } from '../llms.js'
import { navigation, readReference, sidebar } from '../map.js'
import { mermaidAsPicture } from '../mermaid.js'
import { isLookedUp, linksToSite, onSite, root } from '../pages.js'
import { pictures } from '../pictures.js'
import { indexOptions, searchOptions } from '../search.js'
import { codeTabs, installTabs } from '../tabs.js'

const { homepage, repository } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const { version } = JSON.parse(readFileSync(`${root}packages/accounts/package.json`, 'utf8'))
const description =
  'User accounts for Fastify: signup, login, second factors, passkeys, sessions and staff, on your database, with your email.'
// Until the owner is known, nothing leads to a repository.
const github = repository.url.includes('/OWNER/') ? undefined : repository.url.replace(/^git\+|\.git$/g, '')

export default defineConfig({
  title: 'fastify-accounts',
  description,
  // Where the site isn't at the root of its host, as on GitHub Pages: DOCS_BASE=/fastify-accounts/
  base: process.env.DOCS_BASE ?? '/',
  head: [
    ['link', { rel: 'icon', type: 'image/svg+xml', href: `${process.env.DOCS_BASE ?? '/'}favicon.svg` }],
    ['meta', { property: 'og:title', content: 'fastify-accounts' }],
    ['meta', { property: 'og:description', content: description }],
    ['meta', { property: 'og:image', content: new URL('social.png', homepage).href }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  lang: 'en',
  srcDir: root,
  srcExclude: [
    'README.md',
    'coverage',
    'packages/!(benchmark)',
    'test/!(catalogue)',
    'examples/*-store',
  ].flatMap((name) => [name, `${name}/**`]),
  outDir: `${root}site/dist`,
  rewrites: onSite,
  cleanUrls: true,
  markdown: {
    // Their plain variants are too pale on the site's backgrounds.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
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
    config: (markdown) =>
      markdown.use(pictures).use(codeTabs).use(installTabs).use(linksToSite).use(mermaidAsPicture),
  },
  themeConfig: {
    nav: navigation(version),
    sidebar: {
      '/': sidebar(),
      '/api/': readReference(),
    },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: indexOptions(process.env.DOCS_BASE ?? '/'), searchOptions },
        _render: (source, env, markdown) =>
          isLookedUp(env.relativePath) ? markdown.render(source, env) : '',
      },
    },
    externalLinkIcon: true,
    ...(github !== undefined && {
      editLink: {
        text: 'Edit this page on GitHub',
        pattern: ({ filePath }) => `${github}/edit/main/${filePath}`,
      },
      socialLinks: [{ icon: 'github', link: github }],
    }),
  },
  vite: {
    plugins: [vueOfTheSite(), landmarks()],
    publicDir: fileURLToPath(new URL('../public', import.meta.url)),
  },
  buildEnd(site) {
    checkLinks(site)
    writeLlms(site.outDir, { homepage, description })
  },
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
