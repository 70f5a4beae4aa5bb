import type { ProviderAnswer } from '@quayside/contract/identity-providers/endpoints'
import { discoveryAddress } from '@quayside/contract/identity-providers/rules'
import { type Keycloak, KeycloakRefused } from '../../adapters/keycloak/keycloak.ts'
import { isAllowedAddress, refusePrivateHost } from '../../adapters/kubernetes/address-guard.ts'
import { fail } from '../../platform/http/errors.ts'
import { addressesOf, toAnswer } from './representations.ts'

interface Bounds {
  allowPrivateAddresses: boolean
  allowedAddresses: readonly string[]
}

const field = 'address'

const silent = (message: string, cause?: unknown) => fail('iam.provider-silent', { field, message, cause })

/** Words of the identity server about an address, as far as they say more than that it failed. */
function reasonOf(error: KeycloakRefused, address: string): string {
  const [, status] = /it answered (\d+)/.exec(error.message) ?? []
  if (status !== undefined) return `${address} answers with status ${status} instead of a description of a provider.`
  if (/does not answer/.test(error.message)) return nobodyAt(address)
  return `${address} does not describe an OpenID Connect provider.`
}

const nobodyAt = (address: string) =>
  `Nobody answers at ${address}, its certificate is not trusted, or this portal may not ask there.`

/** Asks addresses how people sign in there, by the identity server, which will also ask them at each sign-in. */
export function createDiscovery(keycloak: Keycloak, { allowPrivateAddresses, allowedAddresses }: Bounds) {
  /** One sentence for a name that leads inside and for one that leads nowhere: which one it is tells of the inside. */
  async function mayBeAsked(address: string): Promise<void> {
    if (allowPrivateAddresses || isAllowedAddress(address, allowedAddresses)) return
    const url = new URL(address)
    if (url.protocol !== 'https:') throw silent(`${address} has to begin with https://.`)
    await refusePrivateHost(url.hostname).catch((error: unknown) => {
      throw silent(nobodyAt(address), error)
    })
  }

  return async (realm: string, typed: string): Promise<ProviderAnswer> => {
    const fromUrl = discoveryAddress(typed)
    await mayBeAsked(fromUrl)
    const asked = { realm, fromUrl, providerId: 'oidc' }
    const config = await keycloak
      .run((kc) => kc.identityProviders.importFromUrl(asked))
      .catch((error: unknown) => {
        throw error instanceof KeycloakRefused ? silent(reasonOf(error, fromUrl), error) : error
      })
    const answer = toAnswer(config)
    if (!answer) throw silent(`${fromUrl} does not describe an OpenID Connect provider.`)
    // A provider that calls itself something else could speak for that one.
    if (discoveryAddress(answer.issuer) !== fromUrl)
      throw silent(`${fromUrl} calls itself ${answer.issuer.slice(0, 200)}. Use that address, if you trust it.`)
    for (const address of Object.values(addressesOf(answer))) {
      if (!URL.canParse(address) || !/^https?:/.test(address))
        throw silent(`${fromUrl} names an address that is none: ${address.slice(0, 200)}`)
      await mayBeAsked(address)
    }
    return answer
  }
}
export type Discovery = ReturnType<typeof createDiscovery>
