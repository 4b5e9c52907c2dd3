import type { PageContent, PageTheme, Problem } from 'fastify-accounts/features'
import type { Site } from '../site.js'
import { errorEnding } from './error-ending.js'
import { type LinkFault, linkEndingOf } from './link-endings.js'
import { type Ending, endingContent } from './next-step.js'

/** What an error page says, and what can be done next. It shows nothing of the request. */
export function problemContent(
  site: Site,
  theme: PageTheme,
  problem: Problem,
  texts: { title: string; message: string },
): PageContent {
  const { link } = problem
  const ending =
    link === undefined ? errorEnding(site, theme, problem, texts) : linkEnding(theme, problem, link)
  return endingContent(site, theme, ending)
}

function linkEnding(
  { brand, language: { say, texts } }: PageTheme,
  problem: Problem,
  fault: LinkFault,
): Ending {
  const own = texts.pages.link_pages
  const { heading, body, next, otherwise } = linkEndingOf(fault, problem)
  return {
    heading: own[heading],
    body: say(own[body], { site: brand.name }),
    next,
    otherwise,
  }
}
