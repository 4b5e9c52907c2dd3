import { escapeHtml } from 'fastify-accounts'
import type { FactorCore, OtherBeginning } from 'fastify-accounts/features'
import type { Provider } from './provider.js'

/** A login with a provider instead of a password. */
export function providerBeginning(
  { where }: Pick<FactorCore, 'where'>,
  { name, label }: Provider,
): OtherBeginning {
  return {
    provider: { name, label: label ?? name },
    show({ language: { say, texts } }) {
      const button = say(texts.pages.app_login.button, { provider: label ?? name })
      return `<form method="post" action="${escapeHtml(where.path('login-with', { provider: name }))}">
<input type="hidden" name="from_page" value="true">
<button type="submit">${escapeHtml(button)}</button>
</form>`
    },
  }
}
