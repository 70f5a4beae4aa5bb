/** The events of a sign-in, in the specification's own names. */
export type SignInEventName =
  | 'ConfigLoaded'
  | 'CheckingAuth'
  | 'CheckingAuthFinished'
  | 'CheckingAuthFinishedWithError'
  | 'ConfigLoadingFailed'
  | 'CheckSessionReceived'
  | 'UserDataChanged'
  | 'NewAuthenticationResult'
  | 'TokenExpired'
  | 'IdTokenExpired'
  | 'SilentRenewStarted'
  | 'SilentRenewFailed'

/** One event; `client` is the key of the sign-in client it is about. */
export interface SignInEvent {
  name: SignInEventName
  client: string
  detail?: unknown
}
