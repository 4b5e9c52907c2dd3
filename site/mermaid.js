import { renderMermaidSVG } from 'beautiful-mermaid'

const colors = {
  bg: 'var(--vp-c-bg)',
  fg: 'var(--vp-c-text-1)',
  muted: 'var(--vp-c-text-2)',
  line: 'var(--vp-c-text-3)',
  accent: 'var(--vp-c-brand-1)',
  surface: 'var(--vp-c-bg-soft)',
  border: 'var(--vp-c-border)',
  transparent: true,
}

/** Draws the diagrams when the site is built, so that no reader has to load a program for it. */
export function mermaidAsPicture(markdown) {
  const { fence } = markdown.renderer.rules
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    if (tokens[index].info.trim() !== 'mermaid') return fence(tokens, index, ...rest)
    const heading = tokens.slice(0, index).findLastIndex(({ type }) => type === 'heading_open')
    const title = markdown.utils.escapeHtml(tokens[heading + 1]?.content ?? 'A flow')
    // Its style would fetch a font; what else it says is in the theme's style.css.
    const svg = renderMermaidSVG(tokens[index].content, colors).replace(/<style>.*?<\/style>/s, '')
    return `<figure class="diagram" role="img" aria-label="Diagram: ${title}" v-pre>${svg}</figure>`
  }
}
