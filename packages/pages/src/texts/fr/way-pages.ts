import type { Translated } from 'fastify-accounts/features'
import type { way_pages as en } from '../en/way-pages.js'

export const way_pages: Translated<typeof en> = {
  passkey_use: 'Utiliser une clé d’accès',
  passkey_or_key_use: 'Utiliser une clé d’accès ou de sécurité',
  passkey_sign_up: 'S’inscrire avec une clé d’accès',
  passkey_failed:
    'Aucune clé d’accès n’a été utilisée : la demande a été annulée, a expiré ou n’a trouvé aucune clé.',
  passkey_unknown:
    'Cette clé d’accès n’appartient à aucun compte ici. Réessayez ou connectez-vous autrement.',
  passkey_taken: 'Cet appareil a déjà une clé d’accès pour votre compte.',
}
