import type { Config } from '../../../platform/config/config.ts'
import { Failure } from '../../../platform/http/errors.ts'
import type { ApiClients } from '../api-client.ts'
import { type ProvisionDeps, provision } from './provision.ts'
import { checkKeycloak } from './start-check.ts'

const againAfterMs = 5000

/** Brings the realm of a tenant to what the portal needs; an identity server that is away is tried again. */
export function createRealmSetup(
  deps: ProvisionDeps & { config: Pick<Config, 'realm' | 'keycloak'> },
  apiClients: Pick<ApiClients, 'forget'>,
) {
  const { log } = deps
  let retry: NodeJS.Timeout | undefined

  async function prepare(realm: string, displayName: string): Promise<void> {
    try {
      await provision(deps, realm, displayName)
      apiClients.forget(realm)
    } catch (error) {
      if (!(error instanceof Failure && error.code === 'iam.unreachable')) throw error
      log.warn({ err: error, realm }, 'the identity server cannot be reached; its realm is set up as soon as it can')
      retry = setTimeout(() => {
        prepare(realm, displayName).catch((problem: unknown) =>
          log.error({ err: problem, realm }, 'the realm cannot be set up'),
        )
      }, againAfterMs)
    }
  }

  return { check: () => checkKeycloak(deps), prepare, close: () => clearTimeout(retry) }
}
