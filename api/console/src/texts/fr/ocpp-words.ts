import type { Texts } from '../texts.ts';

export const ocppWords: Texts['ocppWords'] = {
  status: {
    Available: 'Disponible',
    Preparing: 'En préparation',
    Occupied: 'Occupé',
    Charging: 'En charge',
    SuspendedEV: 'Suspendu par le véhicule',
    SuspendedEVSE: 'Suspendu par la borne',
    Finishing: 'En fin de charge',
    Reserved: 'Réservé',
    Unavailable: 'Indisponible',
    Faulted: 'En défaut',
  },
  errorCode: {
    ConnectorLockFailure: 'Verrouillage du connecteur en défaut',
    EVCommunicationError: 'Erreur de communication avec le véhicule',
    GroundFailure: 'Défaut de terre',
    HighTemperature: 'Température trop élevée',
    InternalError: 'Erreur interne',
    LocalListConflict: 'Conflit de la liste locale',
    OtherError: 'Autre erreur',
    OverCurrentFailure: 'Surintensité',
    OverVoltage: 'Surtension',
    PowerMeterFailure: 'Compteur en défaut',
    PowerSwitchFailure: 'Contacteur en défaut',
    ReaderFailure: 'Lecteur de carte en défaut',
    ResetFailure: 'Échec de la réinitialisation',
    UnderVoltage: 'Sous-tension',
    WeakSignal: 'Signal faible',
  },
};
