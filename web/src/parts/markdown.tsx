import "./markdown.css";
import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import { createElement, Fragment, memo, type ReactNode } from "react";
import { UntrustedBlock } from "./untrusted.tsx";

/**
 * An agent's Markdown as elements: HTML in it stays text, images become their description, and only web URLs are links.
 */
export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return <div className="markdown">{renderAll(lexer(text))}</div>;
});

function renderAll(tokens: readonly Token[] = []): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of a text never move
  return tokens.map((token, index) => <Fragment key={index}>{render(token as MarkedToken)}</Fragment>);
}

function render(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "hr":
      return <hr />;
    case "br":
      return <br />;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? renderAll(token.tokens) : asText(token.text);
    case "escape":
      return asText(token.text);
    case "paragraph":
      return <p>{renderAll(token.tokens)}</p>;
    case "heading":
      return <h3>{renderAll(token.tokens)}</h3>;
    case "strong":
    case "em":
    case "del":
    case "blockquote":
      return createElement(token.type, null, renderAll(token.tokens));
    case "code":
      return (
        <pre>
          <code>{asText(token.text)}</code>
        </pre>
      );
    case "codespan":
      return <code>{asText(token.text)}</code>;
    case "list":
      return renderList(token);
    case "checkbox":
      return token.checked ? "[x] " : "[ ] ";
    case "link":
      return renderLink(token);
    case "image":
      return asText(token.text || token.href);
    case "table":
      return renderTable(token);
    default:
      return asText(token.raw);
  }
}

function asText(text: string): ReactNode {
  return <UntrustedBlock text={text} />;
}

function renderList({ items, ordered, start }: Tokens.List): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the items of a text never move
  const rows = items.map((item, index) => <li key={index}>{renderAll(item.tokens)}</li>);
  return ordered ? <ol start={start === "" ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>;
}

function renderLink({ href, tokens }: Tokens.Link): ReactNode {
  if (!/^https?:\/\//i.test(href)) return renderAll(tokens);
  return (
    <a className="link" href={href} title={href} target="_blank" rel="noopener noreferrer">
      {renderAll(tokens)}
    </a>
  );
}

function renderTable({ header, rows }: Tokens.Table): ReactNode {
  return (
    <div className="markdown-table">
      <table>
        <thead>
          <tr>{header.map(cell("th"))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a text never move
            <tr key={index}>{row.map(cell("td"))}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function cell(tag: "th" | "td") {
  return ({ tokens }: Tokens.TableCell, index: number) => createElement(tag, { key: index }, renderAll(tokens));
}
