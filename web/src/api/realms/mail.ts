import { type MailServerInput, mail } from '@quayside/contract/mail/endpoints'
import type { MailStatus } from '@quayside/contract/mail/limits'
import type { LinkAction } from '@quayside/contract/users/rules'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { usePortal } from '../../lib/portal.tsx'
import { call } from '../client.ts'

const mailKey = ['mail'] as const
const settingsKey = [...mailKey, 'settings'] as const
const mailsPerPage = 20
const lookAgainMs = 5000

export function useMailSettings() {
  const { api } = usePortal()
  return useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => call(api, mail.mailSettings, { signal }) })
}

export function useSaveMailSettings() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: MailServerInput) => call(api, mail.setMailSettings, { body }),
    onSuccess: (now) => queries.setQueryData(settingsKey, now),
  })
}

/** Sends a mail by settings that need not be saved. */
export function useTestMail() {
  const { api } = usePortal()
  return useMutation({
    mutationFn: (body: MailServerInput & { to: string }) => call(api, mail.testMail, { body }),
  })
}

/** A page of the mails, read again while somebody looks: they are sent meanwhile. */
export function useOutbox(search: string, status: MailStatus | undefined, skip: number) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...mailKey, 'outbox', search, status, skip],
    placeholderData: keepPreviousData,
    refetchInterval: lookAgainMs,
    queryFn: ({ signal }) =>
      call(api, mail.findMails, {
        signal,
        query: { search, filters: status ? { status } : {}, page: { skip, limit: mailsPerPage } },
      }),
  })
}

/** The text of a mail with its link: read when somebody asks for it, and not kept. */
export function useMail(id: string) {
  const { api } = usePortal()
  return useQuery({
    queryKey: [...mailKey, 'one', id],
    gcTime: 0,
    queryFn: ({ signal }) => call(api, mail.readMail, { params: { id }, signal }),
  })
}

export function useSendMail() {
  const { api } = usePortal()
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => call(api, mail.sendMail, { params: { id } }),
    onSettled: () => queries.invalidateQueries({ queryKey: [...mailKey, 'outbox'] }),
  })
}

/** Makes a link to hand over, by which a user does something once. */
export function useMakeLink() {
  const { api } = usePortal()
  return useMutation({
    mutationFn: ({ id, ...body }: { id: string; actions: LinkAction[]; hours: number }) =>
      call(api, mail.makeLink, { params: { id }, body }),
  })
}
