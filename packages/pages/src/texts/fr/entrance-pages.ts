import type { Translated } from 'fastify-accounts/features'
import type { entrance_pages as en } from '../en/entrance-pages.js'

export const entrance_pages: Translated<typeof en> = {
  log_in_to: 'Se connecter à {site}',
  log_in: 'Se connecter',
  username: 'Nom d’utilisateur ou adresse e-mail',
  password: 'Mot de passe',
  forgot: 'Mot de passe oublié ?',
  remember: 'Rester connecté',
  create: 'Créer un compte',
  wrong: 'Nom d’utilisateur, adresse e-mail ou mot de passe incorrect.',
  no_cookie: 'Votre navigateur n’a pas conservé le cookie. Autorisez les cookies pour {site} et réessayez.',
  log_out: 'Se déconnecter ?',
  logged_out: 'Vous êtes déconnecté',
  continue_with: 'Continuer avec {provider}',
}
