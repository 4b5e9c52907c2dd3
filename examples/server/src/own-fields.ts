import type { AccountsOptions, SignUpAttempt, SignUpGrant } from 'fastify-accounts'

const languages = ['en', 'de', 'fr'] as const

/** What users can enter besides username and email address: docs/guides/own-fields.md. */
export interface OwnFields {
  display_name?: string
  /** The language of emails; signup takes it from the browser. */
  locale?: (typeof languages)[number]
}

/** The same, as a schema. The titles are the labels of forms. */
export const ownFields: { type: 'object'; properties: Record<keyof OwnFields, object> } = {
  type: 'object',
  properties: {
    display_name: { type: 'string', maxLength: 80, title: 'Display name' },
    locale: { enum: [...languages], title: 'Language of emails' },
  },
}

/** A rule of the app: who signs up gets emails in the language of their browser, unless they choose another. */
export function languageOfBrowser({
  actor,
  client,
  fields,
}: SignUpAttempt<OwnFields>): SignUpGrant<OwnFields> | undefined {
  const locale = languages.find((tag) => tag === client?.language)
  if (actor !== null || locale === undefined || fields.locale !== undefined) return undefined
  return { fields: { ...fields, locale } }
}

const names = { en: 'English', de: 'Deutsch', fr: 'Français' }

/** The labels in other languages, for the option `languages.texts`. */
export const fieldTexts: NonNullable<AccountsOptions['languages']>['texts'] = {
  en: { own_fields: { locale: { enum: names } } },
  de: {
    own_fields: {
      display_name: { title: 'Anzeigename' },
      locale: { title: 'Sprache der E-Mails', enum: names },
    },
  },
  fr: {
    own_fields: {
      display_name: { title: 'Nom affiché' },
      locale: { title: 'Langue des e-mails', enum: names },
    },
  },
}
