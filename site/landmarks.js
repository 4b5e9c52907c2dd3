import { readFileSync } from 'node:fs'

/**
 * What screen readers jump to. VitePress leaves the front page without a main landmark, two navigations without a name, and
 * its search without a role.
 */
const changes = {
  'VPContent.vue': [
    [/<div\s+class="VPContent"/, '<main class="VPContent"'],
    [/<\/div>\s*<\/template>/, '</main></template>'],
  ],
  'VPDoc.vue': [
    ['<main class="main">', '<div class="main">'],
    ['</main>', '</div>'],
  ],
  'VPSidebar.vue': [
    [/<aside\s+v-if/, '<div v-if'],
    ['</aside>', '</div>'],
    ['Sidebar Navigation', 'Pages'],
  ],
  'VPLocalNav.vue': [
    [/<div\s+v-if/, '<nav aria-label="Menu and contents" v-if'],
    [/<\/div>\s*<\/template>/, '</nav></template>'],
  ],
  'VPNavBarSearch.vue': [['<div class="VPNavBarSearch">', '<div class="VPNavBarSearch" role="search">']],
  'VPNavBarMenu.vue': [['Main Navigation', 'Main']],
  'VPNavScreenMenu.vue': [['class="VPNavScreenMenu"', 'class="VPNavScreenMenu" aria-label="Main"']],
  // A group that isn't a link opens and closes as a whole: its arrow needs no button of its own inside that button.
  'VPSidebarItem.vue': [
    [
      /role="button"\s+aria-label="toggle section"/,
      `:role="item.link ? 'button' : undefined" :aria-label="item.link ? 'Toggle section' : undefined"`,
    ],
    ['tabindex="0"', ':tabindex="item.link ? 0 : undefined"'],
  ],
  'VPDocFooter.vue': [['>Pager<', '>Previous and next page<']],
  'VPLocalSearchBox.vue': [
    [
      /role="button"\s+:aria-owns="[^"]+"\s+aria-expanded="true"\s+aria-haspopup="listbox"\s+aria-labelledby="localsearch-label"/,
      'role="dialog" aria-modal="true" aria-label="Search"',
    ],
    ['class="search-bar"', 'class="search-bar" role="search"'],
    ['class="search-input"', 'class="search-input" role="combobox" :aria-expanded="results?.length > 0"'],
  ],
}

/** A Vite plugin that changes components of VitePress. It fails where one no longer has what it replaces. */
export function landmarks() {
  return {
    name: 'landmarks',
    enforce: 'pre',
    load(id) {
      const [, name] = /theme-default\/components\/(\w+\.vue)$/.exec(id) ?? []
      return changes[name] && changed(readFileSync(id, 'utf8'), name)
    },
  }
}

function changed(source, name) {
  return changes[name].reduce((text, [before, after]) => {
    if (text.search(before) === -1) throw new Error(`${name} of VitePress has no ${before} any more`)
    return text.replace(before, after)
  }, source)
}
