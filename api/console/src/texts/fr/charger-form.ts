import type { Texts } from '../texts.ts';

export const chargerForm: Texts['chargerForm'] = {
  location: 'Site',
  noLocation: 'Aucun',
  model: 'Modèle',
  noModel: 'Inconnu',
  edit: {
    open: 'Modifier…',
    title: 'Modifier {{charger}}',
    reference: 'Texte imprimé sur la borne',
    floor: 'Étage',
    isPublic: 'Visible pour les conducteurs, sur un site publié',
    profile: 'Profil de sécurité',
    profileHint: 'S’applique à la prochaine connexion',
    profiles: {
      none: '0 : aucun',
      password: '1 : mot de passe sur ws',
      tls: '2 : mot de passe sur wss',
      certificate: '3 : certificat client sur wss',
    },
    commonName: 'Nom commun du certificat',
    commonNameHint: 'Vide : l’identité OCPP',
    done: '{{charger}} est modifiée.',
  },
  remove: {
    open: 'Mettre hors service…',
    title: 'Mettre {{charger}} hors service ?',
    text: 'Sa connexion est fermée, les nouvelles sont refusées. Ses connecteurs et affectations de tarif prennent fin. Les sessions restent.',
    action: 'Mettre hors service',
    done: '{{charger}} est hors service.',
  },
};
