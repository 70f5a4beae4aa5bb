import { pathOf } from '@quayside/contract/http/path'
import { mail as endpoints } from '@quayside/contract/mail/endpoints'
import { mailPolicies } from '@quayside/contract/mail/policies'
import type { Http } from '../../platform/http/http.ts'
import { serve } from '../../platform/http/route.ts'
import type { Outbox } from './index.ts'
import type { MailSettingsService } from './settings.ts'

export function routes(http: Http, { settings, outbox }: { settings: MailSettingsService; outbox: Outbox }): void {
  serve(http, endpoints, mailPolicies, {
    mailSettings: ({ actor }) => settings.get(actor),
    setMailSettings: ({ actor, body }) => settings.set(actor, body),
    testMail: ({ actor, body }) => settings.test(actor, body),
    findMails: ({ actor, query }) => outbox.find(actor, query, pathOf(endpoints.findMails)),
    readMail: ({ actor, params }) => outbox.read(actor, params.id),
    sendMail: ({ actor, params }) => outbox.send(actor, params.id),
    makeLink: ({ actor, params, body }) => outbox.link(actor, params.id, body),
  })
}
