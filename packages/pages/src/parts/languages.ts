const names = new Map<string, string>()

/** What a language of the app calls itself, as the name of a choice. */
export function nameOfLanguage(tag: string): string {
  // Of a tag without a name, it is the tag.
  const name =
    names.get(tag) ?? capital(String(new Intl.DisplayNames([tag], { type: 'language' }).of(tag)), tag)
  names.set(tag, name)
  return name
}

const capital = (name: string, tag: string): string => name.charAt(0).toLocaleUpperCase(tag) + name.slice(1)
