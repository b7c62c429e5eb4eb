/**
 * PUBLIC TEST DATA, NOT A SECRET. Every mock server uses this key pair, so that tokens stay valid after a restart
 * (behaviour E3). Anyone can sign with it: a valid signature proves nothing outside a test.
 */
import { createPublicKey } from 'node:crypto';

/** The id of the key in a token's header and in the key set. */
export const KEY_ID = 'mock-key-1';

export const PRIVATE_KEY_PEM = `-----BEGIN PRIVATE KEY-----
MIIEvwIBADANBgkqhkiG9w0BAQEFAASCBKkwggSlAgEAAoIBAQCvTE95Gl7w/0ul
M6oXpHVAySL/mXzaSG3dTJGVN8FZNYF0JGWXHqrWnwQjemV+I/oUoojBXzKAIXRi
o7LNc/0Z2TGWIoGUGiiefRbZVYDAFT2FKsNbcRgWx7kzZVMjjrRII6M0R+fayd/e
fzHY1SZRqi+3Md0WOo3VYVPxiFCpOZ2qmoa3/xMUqas6zVEN432PIphOZlVqGL0W
aucU6RJwuXsfH3M+7FcTtsrA9agAYKjx8Vt4TEe7KQo1wiiVnSONr9UcUKUY5JG6
OAJ0v8GOZeCmYP3rGMWL0Hoq67mL2DdXxfpthMvEybQ9elaXvr1uaoz1fITF4Bum
Cb+3l6L7AgMBAAECggEAR+48PilABAv98k/8366wHmFqZw+IV9mYm1Ir+triD8UQ
1aOJvDTtTRv7CsPSmawRlh4Ll62Ef2c65q7dU8jgdpbU7hJCsY76U+5oTc30At20
XMxrVT5W8CIMMLbHIrQP7foRogZPcUuc/SOcRKlSC/iVk8p2OgTU5lYFp/qTfpxi
/+JZF7ZwpSDIkWkidlMR4LxnrZJ5KB+DM/auIiGZRij5Oc9+tkuMLlZ8EjLYWL1F
saHEnW4i3AfRos8v+0uxY+nsQKl9/6CfABjZkdTGCO4z6YBvpV0EhBALqvgG/yIN
7W38YxeLKuQMiN7dml0wUv1fA+dYi0vV1KLJKC41QQKBgQDql0qjHlztZoVbz6Kc
rrBJicpFaFz04WiaSwwzktLDsyW/52cuiBRCQQHuX/1xWm2Qk2z31delZOxYQ+9Q
iAZspGjsfV8Peyp3osdSe1cGZt97LJb+ruUD7NsVUTiH5Az9QnHTUTS1jcffGMNI
ptorD3wIdtYbcD/dt6SE5JVGEwKBgQC/S8TuqUm54oYd+OC4QtEwGcVzvcR3sukR
vYeTyABXk7Ure9976R+4lGKWw+g8BW81A7SmqPDXs7GUVTMxg2fo6WXTnXroRfhC
OBzcgBHMuvYvosvGmH9coI1xYzQR8btWkhynzgZOxqVO1SziECql8PvTazUpmrv9
f5T2e9DseQKBgQC1OGh0+CirUA5nLVAeH6iZNnNmCMf+d/65ao4jbSGaAlOAGr+P
p5mW0OcwAUElBskq7Wg5UB2FbCBT0y8VE+96j8tqHTOJHwlgYAQASL2ieWfcnEaM
ugi6boeTwSmdeGM8Zc7OgqXoNn2Xb2a0Qgi5SP30//BIQ/9iRNI3wuk5twKBgQCB
o9m8XCHIxclaepXgife2f2CfBZYmAKuPCEDfWAVTVJjM9VAJa33B213NCstSEeTB
qtc8svU1WWQZQHxHK+S5paMKfIkU7IZIajq0/F4TvwikU9GBr0tw/KWemDprhsUM
8ExXNHp13I2fFT0rnwUoHF6tctQ+c8y/CT1spZB7EQKBgQC1HJQqAWuioqhLO6n6
Da02DhXGbCs4nFlBHTTTpacObeRmriwi7ELRPT6tk7ck5iBZvtiLmmgv7DIT3Awi
OYe+weCmACllHbvWPqNZa8Zri9gb7d3VKgb7xrfCarBpYdTqzhLiAtCEmOqI1lZ3
gN/oMpLpH7bcfJWDfR3Goc4+zg==
-----END PRIVATE KEY-----
`;

export const PUBLIC_KEY = createPublicKey(PRIVATE_KEY_PEM);
