import { type Case, sends, tested } from '#gateway/test/conformance/steps.ts';
import { boots } from './fragments201.ts';

/** P: data transfer, core. */
export const dataTransfer: Case[] = [
  tested(
    'TC_P_02',
    'answers a data transfer of an unknown vendor',
    boots(),
    sends(
      'DataTransfer',
      { vendorId: 'org.example.unknown', messageId: 'unknown', data: 'x' },
      { status: /^(Rejected|UnknownVendorId|UnknownMessageId)$/ },
    ),
  ),
  tested(
    'TC_P_03',
    'accepts custom data in any message',
    sends(
      'BootNotification',
      {
        reason: 'PowerUp',
        customData: { vendorId: 'org.example', number: 7 },
        chargingStation: {
          vendorName: 'Vendor',
          model: 'Model',
          customData: { vendorId: 'org.example', nested: { list: [1] } },
        },
      },
      { status: 'Accepted' },
    ),
  ),
];
