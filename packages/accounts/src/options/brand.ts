/** How mails and pages show whose they are. */
export interface Brand {
  /** What the service is called. */
  readonly name: string
  /** An absolute URL of a picture; `null` where the name stands for it. */
  readonly logo: string | null
  /** Where people use the service; `null` where pages lead nowhere. */
  readonly url: string | null
  /** `#rrggbb`: buttons. */
  readonly color: string
  /** The last line, such as a postal address; `null` for none. */
  readonly footer: string | null
}

/** The colors of one scheme: what is written on, and what is written with. Every ink keeps 7 : 1 on its paper. */
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

/** Black or white, whichever is read more easily on a color: 4.58 : 1 at the least, so WCAG's 4.5 : 1 always. */
export function inkOn(color: string): '#000000' | '#ffffff' {
  return contrast(color, '#000000') >= contrast(color, '#ffffff') ? '#000000' : '#ffffff'
}

/** The edge of a button: its own color, or a line where that would be lost on the paper (WCAG 2.2, 1.4.11: 3 : 1). */
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
