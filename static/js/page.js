// Keys, the next hand by itself, the time zone, and faults of the connection. Everything works without it.
"use strict";

(() => {
  const isTyping = (element) => element.closest("input:not([type=hidden]), select, textarea, [contenteditable]");
  const takesSpace = (element) => element.closest("a, button, summary, label");
  const isBusy = () => document.querySelector(".htmx-request") !== null;

  // One listener presses the button whose data-key it is, with the focus wherever it may be.
  document.addEventListener("keydown", (event) => {
    if (!("shortcuts" in document.body.dataset)) return;
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.defaultPrevented) return;
    if (isTyping(event.target) || isBusy()) return;
    const isSpace = event.key === " " || event.key === "Enter";
    const key = isSpace ? " " : event.key.toLowerCase();
    if (!/^[a-z1-9 ]$/.test(key)) return;
    const button = document.querySelector(`[data-key="${key}"]`);
    if (!button) return;
    // What has the focus keeps Space and Enter, but for Space on the link to the next hand, which does nothing by itself.
    if (isSpace && takesSpace(event.target) && !(event.target === button && event.key === " ")) return;
    event.preventDefault();
    button.click();
  });

  // The second tap of a double tap lands on what came into the bar meanwhile: it is not meant for that.
  document.addEventListener("click", (event) => {
    if (event.detail < 2 || !event.target.closest(".bar") || event.target.closest(".chips")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  }, true);

  // A chip that is clicked does not take the focus, so that Space still deals.
  document.addEventListener("mousedown", (event) => {
    if (event.target.closest(".chips")) event.preventDefault();
  });

  let advance = 0;

  const fillTimeZone = () => {
    for (const field of document.querySelectorAll("input[name=time_zone]")) {
      field.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
    }
  };

  // On a phone what is long is folded; the verdict and the EVs stay above the bar.
  const fold = () => {
    if (!window.matchMedia("(max-width: 820px)").matches) return;
    for (const details of document.querySelectorAll("details.fold")) details.removeAttribute("open");
  };

  const advanceByItself = () => {
    window.clearTimeout(advance);
    const next = document.querySelector("[data-advance]");
    if (next && "autoAdvance" in document.body.dataset) {
      advance = window.setTimeout(() => next.isConnected && next.click(), 900);
    }
  };

  // A password can be looked at while it is typed; the box for it is there only where it works.
  const offerToShow = () => {
    for (const box of document.querySelectorAll("[data-shows]")) box.closest("label").hidden = false;
  };
  document.addEventListener("change", (event) => {
    const field = document.getElementById(event.target.dataset.shows);
    if (field) field.type = event.target.checked ? "text" : "password";
  });

  const settle = () => {
    fillTimeZone();
    fold();
    offerToShow();
  };

  const say = (text) => {
    const alert = document.createElement("div");
    alert.className = "notice bad";
    alert.setAttribute("role", "alert");
    alert.textContent = text;
    document.getElementById("alert").replaceChildren(alert);
  };

  // Whoever had scrolled down sees the cards again, not only what is said of them.
  const showCards = () => {
    const hand = document.getElementById("hand");
    if (hand && hand.getBoundingClientRect().top < 0) hand.scrollIntoView({ block: "start" });
  };

  document.addEventListener("htmx:afterSettle", () => {
    settle();
    showCards();
    advanceByItself();
  });
  document.addEventListener("htmx:sendError", (event) => {
    const isAnswer = /^\/hand\/[^/]+$/.test(event.detail.requestConfig.path) && event.detail.requestConfig.verb === "post";
    say(isAnswer ? "No connection. Your answer was not saved: try it again." : "No connection. Try it again.");
  });
  // The server's clock decides; this one only shows it, and asks for the result when it has run out.
  let clock = null;
  window.setInterval(() => {
    const shown = document.querySelector("[data-seconds]");
    if (!shown) return;
    if (!clock || clock.shown !== shown) clock = { shown, end: performance.now() + 1000 * shown.dataset.seconds };
    const left = Math.max(0, Math.ceil((clock.end - performance.now()) / 1000));
    if (shown.textContent !== String(left)) shown.textContent = left;
    if (left === 0 && !isBusy()) window.location.replace(shown.dataset.then);
  }, 250);
  document.addEventListener("DOMContentLoaded", settle);
  if (document.readyState !== "loading") settle();
})();
