// The connection to the server is lost: say so, and where the settings are. Panel's own options do not:
// `disconnect_notification` has no button, and loads a library and a face of icons with every page; and
// `reconnect` needs the session, which ends with its visitor so that its work does.
import { make } from "../draw/elements.js"

if (!document.getElementById("tapviz-lost")) {
    const style = "position:fixed;top:0;left:0;right:0;z-index:1000;padding:10px 16px;color:#fff;" +
        "background:#8a2b00;font:15px system-ui,sans-serif"
    document.body.append(make("div", { id: "tapviz-lost", role: "alert", style },
        "Disconnected: your settings are in the address bar. ",
        make("button", { style: "font:inherit;margin-left:12px;min-height:28px", onclick: () => location.reload() }, "Reload")))
    // What is being worked out never comes.
    document.documentElement.style.setProperty("--tv-at-work", "hidden")
}
