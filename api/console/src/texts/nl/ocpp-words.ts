import type { Texts } from '../texts.ts';

export const ocppWords: Texts['ocppWords'] = {
  status: {
    Available: 'Beschikbaar',
    Preparing: 'Voorbereiden',
    Occupied: 'Bezet',
    Charging: 'Laadt',
    SuspendedEV: 'Gepauzeerd door het voertuig',
    SuspendedEVSE: 'Gepauzeerd door de laadpaal',
    Finishing: 'Afronden',
    Reserved: 'Gereserveerd',
    Unavailable: 'Niet beschikbaar',
    Faulted: 'Storing',
  },
  errorCode: {
    ConnectorLockFailure: 'Storing in de connectorvergrendeling',
    EVCommunicationError: 'Communicatiefout met het voertuig',
    GroundFailure: 'Aardfout',
    HighTemperature: 'Temperatuur te hoog',
    InternalError: 'Interne fout',
    LocalListConflict: 'Conflict met de lokale lijst',
    OtherError: 'Andere fout',
    OverCurrentFailure: 'Overstroom',
    OverVoltage: 'Overspanning',
    PowerMeterFailure: 'Storing in de meter',
    PowerSwitchFailure: 'Storing in de vermogensschakelaar',
    ReaderFailure: 'Storing in de kaartlezer',
    ResetFailure: 'Herstart mislukt',
    UnderVoltage: 'Onderspanning',
    WeakSignal: 'Zwak signaal',
  },
};
