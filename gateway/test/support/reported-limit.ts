/** A report (B07) of a station that takes `items` variables in a GetVariables message. */
export function reportedLimit(items: number): object {
  return {
    requestId: 1,
    generatedAt: new Date().toISOString(),
    seqNo: 0,
    reportData: [
      {
        component: { name: 'DeviceDataCtrlr' },
        variable: { name: 'ItemsPerMessage', instance: 'GetVariables' },
        variableAttribute: [{ value: String(items), mutability: 'ReadOnly' }],
      },
    ],
  };
}
