import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, ConfigError } from '../../../platform/config/config.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { Logger } from '../../../platform/logging/logger.ts'
import { type About, type Keycloak, KeycloakRefused } from '../keycloak.ts'
import { TokenRefused } from '../token-source.ts'
import { versionProblem } from '../versions.ts'

interface CheckDeps {
  keycloak: Pick<Keycloak, 'about' | 'run' | 'rights'>
  config: { realm: string; keycloak: Pick<Config['keycloak'], 'url' | 'publicUrl' | 'clientId'> }
  log: Pick<Logger, 'warn'>
}

/** An identity server that starts beside the portal is waited for, as the database is. */
const withinMs = 60_000
const againAfterMs = 1_000
/** Roles of the client `<realm>-realm` in the realm `master`, without which a realm that is there cannot be looked after. */
const realmRights = ['manage-realm', 'manage-users', 'manage-clients']
const howTo = 'docs/operations.md says how the client is made'

/**
 * Looks, at start, whether the identity server is one to work with and gives the portal the rights it needs: people could
 * sign in only to find that nothing works.
 * @throws ConfigError with one line that names the setting or the right
 */
export async function checkKeycloak({ keycloak, config, log }: CheckDeps): Promise<void> {
  const { realm } = config
  const { version, isEmbedded } = await untilAnswered({ keycloak, config, log })
  const client = `KEYCLOAK_CLIENT_ID: the client ${config.keycloak.clientId}`
  if (version === '')
    throw new ConfigError(`${client} may not read Keycloak's version: ${lacking(['manage-realm'], 'master')}; ${howTo}`)
  const problem = versionProblem(version)
  if (problem) throw new ConfigError(`KEYCLOAK_URL: ${problem}`)
  if (isEmbedded) return
  await checkAddress(config.keycloak)
  const { realmRoles, clientRoles } = await keycloak.rights()
  if (realmRoles.includes('admin')) return
  if (await isThere(keycloak, realm)) {
    const held = clientRoles[`${realm}-realm`] ?? []
    const missing = realmRights.filter((one) => !held.includes(one))
    if (missing.length > 0)
      throw new ConfigError(`${client} may not look after the realm ${realm}: ${lacking(missing, realm)}; ${howTo}`)
  } else if (!realmRoles.includes('create-realm'))
    throw new ConfigError(
      `${client} may not make the realm ${realm}: its service account lacks the role create-realm of the realm master; ${howTo}`,
    )
}

const lacking = (roles: readonly string[], realm: string) =>
  `its service account lacks ${roles.join(', ')} of the client ${realm}-realm in the realm master`

/** Tokens name the address that Keycloak takes for its own, and the portal takes those of its public address alone. */
async function checkAddress({ url, publicUrl }: CheckDeps['config']['keycloak']): Promise<void> {
  const answer = await fetch(`${url}/realms/master/.well-known/openid-configuration`, {
    signal: AbortSignal.timeout(10_000),
  })
  const { issuer = '' } = (await answer.json()) as { issuer?: string }
  if (issuer === `${publicUrl}/realms/master`) return
  const setting = publicUrl === url ? 'KEYCLOAK_URL' : 'KEYCLOAK_PUBLIC_URL'
  throw new ConfigError(
    `${setting}: Keycloak says that it is at ${issuer.replace(/\/realms\/master$/, '')}, and not at ${publicUrl}; start it with --hostname=${publicUrl}, and with --proxy-headers=xforwarded where it is behind a proxy`,
  )
}

async function isThere(keycloak: CheckDeps['keycloak'], realm: string): Promise<boolean> {
  try {
    return (await keycloak.run((kc) => kc.realms.findOne({ realm }))) != null
  } catch (error) {
    // Without any right on a realm, one that is there is refused.
    if (error instanceof KeycloakRefused && error.status === 403) return true
    throw error
  }
}

/** Asks until the server answers: a wrong secret and a wrong path end the wait at once. */
async function untilAnswered({ keycloak, config, log }: CheckDeps): Promise<About> {
  const { url, clientId } = config.keycloak
  const until = performance.now() + withinMs
  for (let tries = 0; ; tries++) {
    try {
      return await keycloak.about()
    } catch (error) {
      if (error instanceof KeycloakRefused && error.status === 403) return { version: '', isEmbedded: false }
      if (error instanceof KeycloakRefused)
        throw new ConfigError(
          `KEYCLOAK_URL: what answers at ${url} is no Keycloak, or is at another path (${error.status})`,
        )
      if (!(error instanceof Failure && error.code === 'iam.unreachable')) throw error
      const refused = error.cause instanceof TokenRefused ? error.cause : undefined
      if (refused?.status === 404)
        throw new ConfigError(
          `KEYCLOAK_URL: at ${url} there is no realm master; the address of older servers ends in /auth`,
        )
      if (refused)
        throw new ConfigError(
          `KEYCLOAK_CLIENT_ID, KEYCLOAK_CLIENT_SECRET: Keycloak refuses the client ${clientId} (${refused.said}); ${howTo}`,
        )
      if (performance.now() > until)
        throw new ConfigError(
          `KEYCLOAK_URL: nobody answers at ${url} (${codeOf(error.cause)}); start Keycloak or correct the address`,
        )
      if (tries === 0)
        log.warn({ url, reason: codeOf(error.cause) }, 'the identity server does not answer; it is waited for')
      await sleep(againAfterMs)
    }
  }
}

function codeOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  return String(code ?? (cause instanceof Error ? cause.message : cause))
}
