/**
 * A self-signed certificate, valid until 2126, with what OpenSSL says names it (`openssl ocsp -sha512 -issuer … -cert …
 * -req_text`): independent of our own reading.
 */
export const testRootCertificate = {
  pem: `-----BEGIN CERTIFICATE-----
MIIBkzCCATmgAwIBAgIEAKGywzAKBggqhkjOPQQDAjAmMRAwDgYDVQQKDAdFeGFt
cGxlMRIwEAYDVQQDDAlUZXN0IHJvb3QwIBcNMjYxMTIxMDQ1NjUwWhgPMjEyNjEw
MjgwNDU2NTBaMCYxEDAOBgNVBAoMB0V4YW1wbGUxEjAQBgNVBAMMCVRlc3Qgcm9v
dDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABChCrG7M/yH2p2TWaXb4wpWkDdNf
UsAmtJgzD1y+A8N4dkakibWo1XqwVobbS6JthBtfsxe1jV1uyUNckD/P8d2jUzBR
MB0GA1UdDgQWBBTjQSdJRSQv7HC7YFx9OqnfN1HUMTAfBgNVHSMEGDAWgBTjQSdJ
RSQv7HC7YFx9OqnfN1HUMTAPBgNVHRMBAf8EBTADAQH/MAoGCCqGSM49BAMCA0gA
MEUCIQCYZ+t4RjOYsP9LHqV38HXDipJRpjo0+Wj34OeDwM//SgIgCfPEi55subFx
Fsu5AYVBQGuY3SHIzKwOH3OmkbbOAQk=
-----END CERTIFICATE-----
`,
  serialNumber: 'a1b2c3',
  sha512: {
    issuerNameHash:
      'eb5bd4a1f0a3d8d8b7299eb47d4591a6e016710b7a746cdb214f00a790b366fd05f1ad7e4925570533569bed7ccc5f10e6790424c7267f918676be7fc819c2e3',
    issuerKeyHash:
      '93774ea9b3cc66dac460f4c9e681492a484f991ee54b24bac6ee3437d1235e0362c74fe6c8c635c9bd72125ad272c71dce0d2cea807ffb83d1af999b491091fa',
    serialNumber: '00A1B2C3',
  },
};
