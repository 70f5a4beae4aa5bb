/** Keycloak's words for what a setting of the realm is one of. */
export const lockoutStrategies = ['MULTIPLE', 'LINEAR'] as const
export const typesOfCodes = ['totp', 'hotp'] as const
export const hashesOfCodes = ['HmacSHA1', 'HmacSHA256', 'HmacSHA512'] as const
export const digitsOfCodes = [6, 8] as const
