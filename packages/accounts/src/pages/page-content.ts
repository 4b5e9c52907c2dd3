import type { FieldError } from '../errors.js'
import type { LinkFault } from '../tokens/link-fault.js'

/** What one page shows. */
export interface PageContent {
  heading: string
  /** HTML below the heading; what users or options provide is escaped. */
  main: string
  /** What is wrong with a form. Default: nothing. */
  faults?: readonly FieldError[] | undefined
  /** Where the flow that it ends goes on: to the app, or to log in, from where `next` is led to. Default: it has a button of its own. */
  onward?: 'app' | { logIn: true; next?: string } | undefined
}

/** What a page is about that somebody gets instead of what they asked for. */
export interface Problem {
  status: number
  /** `''` for an error of the app. */
  code: string
  reason: string | undefined
  /** Seconds until another attempt may succeed. */
  retryAfter: number | undefined
  /** Why a link is invalid, where that is known. */
  link: LinkFault | undefined
  /** The path and query of the request. */
  url: string
  /** The name of its route; `undefined` for a page of the feature. */
  route: string | undefined
}

/** What it says. */
export interface ProblemTexts {
  title: string
  message: string
  /** The fields at fault, as there is no form that shows them. Default: none. */
  fields?: readonly FieldError[] | undefined
}
