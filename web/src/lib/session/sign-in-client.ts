import type { UiConfig } from '@quayside/contract/http/ui-config'
import {
  InMemoryWebStorage,
  type User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts'
import type { Emitter } from '../emitter.ts'
import type { SignInEvent, SignInEventName } from './sign-in-events.ts'

const silentRenewTimeoutSeconds = 20
const checkSessionSeconds = 3

/** Tokens stay in memory; only the short-lived state of a running sign-in touches session storage. */
function settings(config: UiConfig, clientId: string, home: string): UserManagerSettings {
  return {
    authority: config.oidc.authority,
    client_id: clientId,
    scope: config.oidc.scope,
    response_type: 'code',
    redirect_uri: home,
    silent_redirect_uri: home,
    post_logout_redirect_uri: home,
    userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
    stateStore: new WebStorageStateStore({ store: sessionStorage, prefix: 'quayside.oidc.' }),
    automaticSilentRenew: true,
    silentRequestTimeoutInSeconds: silentRenewTimeoutSeconds,
    checkSessionIntervalInSeconds: checkSessionSeconds,
    includeIdTokenInSilentRenew: false,
    loadUserInfo: false,
    // The revocation endpoint answers with an empty text/plain body, which the library would refuse.
    revokeTokenAdditionalContentTypes: ['text/plain'],
    revokeTokenTypes: ['refresh_token', 'access_token'],
  }
}

export function createSignInClient(
  config: UiConfig,
  client: { key: string; clientId: string; home: string },
  events: Emitter<SignInEvent>,
  /** Called before anybody else hears of a new sign-in, so that whoever hears of it finds its token. */
  onUser: (user: User) => void,
): UserManager {
  const manager = new UserManager(settings(config, client.clientId, client.home))
  const tell = (name: SignInEventName, detail?: unknown) => events.emit({ name, client: client.key, detail })
  manager.events.addUserLoaded(onUser)
  manager.events.addUserLoaded(() => tell('NewAuthenticationResult'))
  manager.events.addUserLoaded(() => tell('UserDataChanged'))
  manager.events.addUserUnloaded(() => tell('UserDataChanged'))
  manager.events.addAccessTokenExpiring(() => tell('SilentRenewStarted'))
  manager.events.addAccessTokenExpired(() => tell('TokenExpired'))
  manager.events.addSilentRenewError((error) => tell('SilentRenewFailed', error))
  manager.events.addUserSessionChanged(() => tell('CheckSessionReceived'))
  return manager
}
