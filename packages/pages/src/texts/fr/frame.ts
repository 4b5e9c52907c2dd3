import type { Translated } from 'fastify-accounts/features'
import type { frame as en } from '../en/frame.js'

export const frame: Translated<typeof en> = {
  summary: 'Il y a un problème',
  of_field: '{label} : {message}',
  show: 'Afficher',
  hide: 'Masquer',
  copy: 'Copier',
  copied: 'Copié',
  account: 'Votre compte',
  back: 'Retour à votre compte',
  log_in: 'Se connecter',
  log_out: 'Se déconnecter',
  cancel: 'Annuler',
  privacy: 'Confidentialité',
  terms: 'Conditions d’utilisation',
  imprint: 'Mentions légales',
  language: 'Langue',
  done: 'Terminé',
  other_account:
    'Vous êtes maintenant connecté en tant que {name}. Rien n’a changé. Vérifiez cette page et envoyez-la à nouveau.',
}
