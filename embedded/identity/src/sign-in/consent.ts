import { findClient } from '../directory/clients.ts'
import { expiredPage } from '../pages/error-page.ts'
import { consentPage } from '../pages/sign-in-pages.ts'
import { clientIdOf, formContext, show, type Visit } from './visit.ts'

/** Asks whether a client may see what it wants to, and keeps the answer. */
export async function consent(visit: Visit, form: URLSearchParams | undefined): Promise<void> {
  const { db, host, details } = visit
  const client = await findClient(db, host.realm.id, clientIdOf(visit))
  const accountId = details.session?.accountId
  if (!client || !accountId) return show(visit, expiredPage(host.realm, host.issuer), 400)
  const scopes = String(details.params.scope ?? 'openid')
    .split(' ')
    .filter(Boolean)
  if (form?.get('step') === 'refuse') {
    const refusal = { error: 'access_denied', error_description: 'User denied consent' }
    return host.provider.interactionFinished(visit.req, visit.res, refusal)
  }
  if (form?.get('step') !== 'consent') {
    return show(visit, consentPage(formContext(visit), client.settings.name ?? client.client_id, scopes))
  }
  await db.run(
    `insert into consent (user_id, client, scopes) values ($1, $2, $3)
     on conflict (user_id, client) do update set updated_at = now(),
       scopes = (select array_agg(distinct s) from unnest(consent.scopes || excluded.scopes) s)`,
    [accountId, client.id, scopes],
  )
  await host.provider.interactionFinished(visit.req, visit.res, { consent: {} }, { mergeWithLastSubmission: true })
}
