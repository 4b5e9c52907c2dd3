/** The branding of emails and pages. */
export interface Brand {
  /** The name of the service. */
  readonly name: string
  /** An absolute URL of a picture; `null` to show the name. */
  readonly logo: string | null
  /** The URL of the service; `null` if pages have no link. */
  readonly url: string | null
  /** `#rrggbb`: buttons. */
  readonly color: string
  /** The last line, such as a postal address; `null` for none. */
  readonly footer: string | null
  /** What the service is, in one sentence; `null` if nobody says. */
  readonly about: string | null
  /** What pages link to at their end; `null` for none. */
  readonly links: {
    readonly privacy: string | null
    readonly terms: string | null
    readonly imprint: string | null
  }
  /** The URL of the picture in a browser's tab; `null` for none. */
  readonly icon: string | null
  /** The absolute URL of the logo on dark pages; `null` for the same. */
  readonly darkLogo: string | null
  /** The URL of a style sheet for pages; `null` for none. */
  readonly stylesheet: string | null
  readonly scheme: 'light' | 'dark' | 'auto'
  /** An IANA name: the time zone of the times in emails and on pages. */
  readonly timeZone: string
}

/** The colors of one scheme: backgrounds, and text colors. Every ink has a contrast of at least 7 : 1 on its paper. */
export interface Scheme {
  readonly ground: string
  readonly paper: string
  readonly ink: string
  readonly faint: string
  readonly line: string
  readonly fault: string
}

export const light: Scheme = {
  ground: '#f3f4f6',
  paper: '#ffffff',
  ink: '#1a1a1a',
  faint: '#4b5563',
  line: '#767676',
  fault: '#a3001b',
}

export const dark: Scheme = {
  ground: '#0f1115',
  paper: '#1a1d23',
  ink: '#f2f2f2',
  faint: '#b6bcc6',
  line: '#9aa0a6',
  fault: '#ff9d94',
}

/** Black or white, whichever is more readable on a color: at least 4.58 : 1, so always above WCAG's 4.5 : 1. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff'
}

/** The border of a button: its own color, or a line if that is hard to see on the paper (WCAG 2.2, 1.4.11: 3 : 1). */
export function edgeOf(color: string, { paper, line }: Scheme): string {
  return contrast(color, paper) >= 3 ? color : line
}

/** The contrast of two colors, 1 to 21, as WCAG 2.2 defines it. */
export function contrast(a: string, b: string): number {
  const [darker = 0, lighter = 0] = [luminance(a), luminance(b)].sort((one, other) => one - other)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
