import { Modal } from '@mantine/core'
import { useState } from 'react'
import { type Question, useWhy } from '../../../api/permissions/why.tsx'
import form from '../../../ui/forms/form-dialog.module.css'
import '../../../ui/theme/mantine.css'
import type { Explained } from '../../../api/permissions/access-requests.ts'
import { AddMembersDialog, type Begin } from '../members/permission-dialog.tsx'
import { AskForm, type Wanted } from '../requests/ask-form.tsx'
import { AllRights } from '../roles/all-rights.tsx'
import { Somewhere } from './somewhere.tsx'
import { WhyAnswer } from './why-answer.tsx'

/** The dialog's content: a question, a form to ask for a role, or a form to give one. */
type Shown =
  | { show: 'question'; question: Question }
  | { show: 'ask'; wanted: Wanted; purpose: string }
  | { show: 'give'; spaceId: string; mayOwn: boolean; begin: Begin }

/** The dialog that explains rights, over any page. */
export function WhyHost() {
  const { question, close } = useWhy()
  const [path, setPath] = useState<readonly Shown[]>([])
  const shown: Shown | undefined = path.at(-1) ?? (question && { show: 'question', question })
  if (shown === undefined) return null
  const go = (next: Shown) => setPath([...path, next])
  const back = path.length > 0 ? () => setPath(path.slice(0, -1)) : undefined
  if (shown.show === 'give') return <AddMembersDialog {...shown} onClose={close} />
  return (
    <Modal
      opened
      onClose={close}
      title={<bdi>{titleOf(shown)}</bdi>}
      size={600}
      classNames={{ inner: form.around, content: form.dialog }}
    >
      {shown.show === 'ask' ? (
        <AskForm {...shown} onClose={close} onBack={back} />
      ) : (
        <Content question={shown.question} go={go} back={back} />
      )}
    </Modal>
  )
}

function titleOf(shown: Shown): string {
  if (shown.show === 'ask') return 'Ask for access'
  if (shown.show === 'give') return 'Add members'
  const { question } = shown
  if ('asking' in question) return 'Ask for access'
  if (question.ask !== 'all')
    return question.ask === 'scope' && question.user !== undefined
      ? `Why can’t ${question.user.name} ${question.purpose}?`
      : `Why can’t I ${question.purpose}?`
  if (question.place === undefined) return 'What can I do on this page?'
  return question.user === undefined
    ? `What can I do in ${question.name}?`
    : `What can ${question.user.name} do in ${question.name}?`
}

interface ContentProps {
  question: Question
  go: (next: Shown) => void
  back: (() => void) | undefined
}

function Content({ question, go, back }: ContentProps) {
  const { close } = useWhy()
  if (question.ask === 'all')
    return <AllRights question={question} onAsk={(next) => go({ show: 'question', question: next })} onClose={close} />
  if (question.ask === 'somewhere')
    return <Somewhere question={question} onAsk={(next) => go({ show: 'question', question: next })} onClose={close} />
  return (
    <WhyAnswer
      asked={explainedOf(question)}
      user={question.ask === 'scope' ? question.user : undefined}
      purpose={question.purpose}
      isAsking={question.asking === true}
      onBack={back}
      onClose={close}
      onAskFor={(wanted) => go({ show: 'ask', wanted, purpose: question.purpose })}
      onGive={(spaceId, begin) => go({ show: 'give', spaceId, mayOwn: false, begin })}
    />
  )
}

export function explainedOf(question: Extract<Question, { ask: 'scope' | 'role' }>): Explained {
  if (question.ask === 'role') return { role: question.role }
  const { scope, place, id, user } = question
  return { scope, place, id, ...(user === undefined ? {} : { user: user.id }) }
}
