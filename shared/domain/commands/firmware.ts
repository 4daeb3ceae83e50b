/** Contents of the path from which chargers fetch a firmware image. */
export interface FirmwarePlace {
  uuid: string;
  /** Makes the path unguessable. */
  downloadToken: string;
}

/** The path that chargers fetch an image from, below the public address of the API. */
export function firmwarePath({
  uuid,
  downloadToken,
  fileName,
}: FirmwarePlace & { fileName: string }): string {
  return `/firmware/${uuid}/${downloadToken}/${encodeURIComponent(fileName)}`;
}

const ours = /\/firmware\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([\w-]{20,64})\/[^/]+$/;

/** Returns the image of ours that a URL sent to a charger refers to. Null: none. */
export function firmwarePlaceOf(location: string): FirmwarePlace | null {
  const [, uuid, downloadToken] = ours.exec(location) ?? [];
  return uuid === undefined || downloadToken === undefined ? null : { uuid, downloadToken };
}
