import type { Texts } from '../texts.ts';

export const ocppWords: Texts['ocppWords'] = {
  status: {
    Available: 'Verfügbar',
    Preparing: 'Vorbereitung',
    Occupied: 'Belegt',
    Charging: 'Lädt',
    SuspendedEV: 'Vom Fahrzeug pausiert',
    SuspendedEVSE: 'Von der Ladestation pausiert',
    Finishing: 'Wird beendet',
    Reserved: 'Reserviert',
    Unavailable: 'Nicht verfügbar',
    Faulted: 'Gestört',
  },
  errorCode: {
    ConnectorLockFailure: 'Steckerverriegelung gestört',
    EVCommunicationError: 'Kommunikation mit dem Fahrzeug gestört',
    GroundFailure: 'Erdschluss',
    HighTemperature: 'Temperatur zu hoch',
    InternalError: 'Interner Fehler',
    LocalListConflict: 'Konflikt der lokalen Liste',
    OtherError: 'Sonstiger Fehler',
    OverCurrentFailure: 'Überstrom',
    OverVoltage: 'Überspannung',
    PowerMeterFailure: 'Zähler gestört',
    PowerSwitchFailure: 'Leistungsschalter gestört',
    ReaderFailure: 'Kartenleser gestört',
    ResetFailure: 'Neustart fehlgeschlagen',
    UnderVoltage: 'Unterspannung',
    WeakSignal: 'Schwaches Signal',
  },
};
