import DOMPurify from 'dompurify'
import { marked } from 'marked'
import { useMemo } from 'react'
import styles from './markdown.module.css'

/** A package's own words: shown as text with links and code, never as markup that could act. */
export function Markdown({ text }: { text: string }) {
  const html = useMemo(() => {
    const clean = DOMPurify.sanitize(marked.parse(text, { async: false }), {
      FORBID_TAGS: ['style', 'form', 'input', 'button', 'iframe', 'object', 'embed', 'video', 'audio', 'svg', 'math'],
      FORBID_ATTR: ['style', 'class', 'id', 'name'],
      ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#|data:image\/)/i,
      RETURN_DOM_FRAGMENT: true,
    })
    for (const link of clean.querySelectorAll('a')) {
      link.rel = 'noopener noreferrer'
      link.target = '_blank'
    }
    for (const scroller of clean.querySelectorAll('pre')) scroller.tabIndex = 0
    const box = document.createElement('div')
    box.append(clean)
    return box.innerHTML
  }, [text])
  // biome-ignore lint/security/noDangerouslySetInnerHtml: sanitised two lines above.
  return <div className={styles.markdown} dir="auto" dangerouslySetInnerHTML={{ __html: html }} />
}
