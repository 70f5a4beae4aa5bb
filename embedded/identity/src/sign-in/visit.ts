import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RealmHost } from '../oidc/realm-host.ts'
import { formToken } from '../pages/form-token.ts'
import { type Page, sendPage } from '../pages/layout.ts'
import type { FormContext, Offer } from '../pages/sign-in-pages.ts'
import type { Db } from '../storage/database.ts'

export type Details = Awaited<ReturnType<RealmHost['provider']['interactionDetails']>>

/** A browser on its way from an application's request to sign in to the answer. */
export interface Visit {
  db: Db
  host: RealmHost
  req: IncomingMessage
  res: ServerResponse
  details: Details
  returnOrigin: string | undefined
  offers: readonly Offer[]
}

export const clientIdOf = (visit: Visit) => String(visit.details.params.client_id ?? '')

export const formContext = (visit: Visit, error?: string): FormContext => ({
  realm: visit.host.realm,
  formToken: formToken(visit.host.realm, visit.details.uid),
  returnOrigin: visit.returnOrigin,
  offers: visit.offers,
  error,
})

export const show = (visit: Visit, page: Page, status = 200) => sendPage(visit.req, visit.res, status, page)
