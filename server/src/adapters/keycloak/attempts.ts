import type KeycloakAdminClient from '@keycloak/keycloak-admin-client'
import Resource from '@keycloak/keycloak-admin-client/lib/resources/resource.js'
import type { LockedAddress, Lockout } from '@quayside/contract/users/lockouts'
import { ignoreGone, isGone } from './gone.ts'
import type { Keycloak } from './keycloak.ts'

interface Status {
  disabled?: boolean
  numFailures?: number
  /** Milliseconds since 1970; 0 for none. */
  lastFailure?: number
  lastIPFailure?: string
  /** Seconds since 1970; 0 where it has no end, or none. */
  failedLoginNotBefore?: number
}

interface AddressStatus {
  address: string
  numFailures: number
  failedLoginNotBefore: number
}

/** Addresses that the embedded identity server has locked; Keycloak locks none and has no such calls. */
class AddressLocks extends Resource<{ realm?: string }> {
  find = this.makeRequest<object, AddressStatus[]>({ method: 'GET', path: '' })
  del = this.makeRequest<{ address: string }, void>({ method: 'DELETE', path: '/{address}', urlParamKeys: ['address'] })

  constructor(client: KeycloakAdminClient) {
    super(client, {
      path: '/admin/realms/{realm}/attack-detection/brute-force/addresses',
      getUrlParams: () => ({ realm: client.realmName }),
      getBaseUrl: () => client.baseUrl,
    })
  }
}

const isoOf = (milliseconds: number | undefined) => (milliseconds ? new Date(milliseconds).toISOString() : null)

/** Wrong passwords that the identity server has counted, and what they have locked. */
export function createAttempts(keycloak: Keycloak) {
  return {
    /** Undefined for somebody who is not locked out, or not there. */
    async lockoutOf(realm: string, userId: string): Promise<Lockout | undefined> {
      const found: Status | undefined = await keycloak
        .run((kc) => kc.attackDetection.findOne({ realm, id: userId }))
        .catch(ignoreGone)
      if (!found?.disabled) return undefined
      const { lastIPFailure } = found
      return {
        userId,
        until: isoOf((found.failedLoginNotBefore ?? 0) * 1000),
        failures: found.numFailures ?? 0,
        lastAddress: lastIPFailure && lastIPFailure !== 'n/a' ? lastIPFailure : null,
        lastFailureAt: isoOf(found.lastFailure),
      }
    },
    forgetUser: (realm: string, id: string) => keycloak.run((kc) => kc.attackDetection.del({ realm, id })),

    /** Undefined where the identity server locks no addresses. */
    async lockedAddresses(realm: string): Promise<LockedAddress[] | undefined> {
      const found = await keycloak.run((kc) => new AddressLocks(kc).find({ realm })).catch(ignoreGone)
      return found?.map(({ address, numFailures, failedLoginNotBefore }) => ({
        ...{ address, failures: numFailures },
        until: new Date(failedLoginNotBefore * 1000).toISOString(),
      }))
    },
    /** False when nothing was counted of the address. */
    async forgetAddress(realm: string, address: string): Promise<boolean> {
      try {
        await keycloak.run((kc) => new AddressLocks(kc).del({ realm, address }))
        return true
      } catch (error) {
        if (isGone(error)) return false
        throw error
      }
    },
  }
}
export type Attempts = ReturnType<typeof createAttempts>
