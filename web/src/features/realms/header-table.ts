import type { SecurityHeaders } from '@quayside/contract/realms/endpoints'
import type { Setting } from './setting.ts'

const whenEmptied = (sentence: string) => (next: string) => (next === '' ? sentence : undefined)
const framed = 'Other sites can embed the sign-in page and trick people into typing their password there.'

/** Headers of the sign-in pages, which browsers hold to. */
export const headerTable: readonly Setting<SecurityHeaders>[] = [
  {
    ...{ kind: 'text', key: 'xFrameOptions', label: 'X-Frame-Options', safe: 'DENY' },
    means: 'Which sites may embed the sign-in page. DENY: none. SAMEORIGIN: only this site.',
    warns: (next) => (/^(deny|sameorigin)$/i.test(next) ? undefined : framed),
  },
  {
    ...{ kind: 'text', key: 'xContentTypeOptions', label: 'X-Content-Type-Options', safe: 'nosniff' },
    means: 'nosniff: browsers use the declared type of a file and do not guess.',
    warns: whenEmptied('Browsers guess the type of a file and may run content that was not meant to run.'),
  },
  {
    ...{ kind: 'text', key: 'xRobotsTag', label: 'X-Robots-Tag', safe: 'none' },
    means: 'none: search engines do not list the sign-in page.',
    warns: whenEmptied('Search engines may list the sign-in page.'),
  },
  {
    ...{ kind: 'text', key: 'referrerPolicy', label: 'Referrer-Policy', safe: 'same-origin' },
    means: 'Which sites browsers tell where a visitor came from. same-origin: only this site.',
    warns: (next) =>
      /^(same-origin|no-referrer)$/i.test(next)
        ? undefined
        : 'Other sites can learn the addresses of the sign-in pages.',
  },
  {
    ...{ kind: 'text', key: 'strictTransportSecurity', label: 'Strict-Transport-Security' },
    safe: 'max-age=31536000; includeSubDomains',
    means: 'Browsers that have used HTTPS once use only HTTPS for this many seconds.',
    warns: (next) =>
      /max-age=0*[1-9]/i.test(next) ? undefined : 'An attacker on the network can lead people to a page without HTTPS.',
  },
  {
    ...{ kind: 'text', key: 'contentSecurityPolicy', label: 'Content-Security-Policy', long: true },
    safe: "frame-src 'self'; frame-ancestors 'none'; object-src 'none';",
    means:
      'What the sign-in page may load and which sites may embed it, in addition to what the identity server sets itself.',
    warns: (next) =>
      /frame-ancestors/i.test(next)
        ? 'A wrong Content-Security-Policy can stop everybody from signing in. Try signing in from another window before you sign out.'
        : framed,
  },
  {
    ...{ kind: 'text', key: 'contentSecurityPolicyReportOnly', label: 'Content-Security-Policy-Report-Only', safe: '' },
    long: true,
    means: 'A policy on trial: browsers report violations but block nothing.',
  },
]
