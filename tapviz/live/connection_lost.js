// The connection to the server is lost: say so, and where the settings are.
if (!document.getElementById("tapviz-lost")) {
    const bar = document.createElement("div")
    bar.id = "tapviz-lost"
    bar.setAttribute("role", "alert")
    bar.style.cssText = "position:fixed;top:0;left:0;right:0;z-index:1000;padding:10px 16px;color:#fff;" +
        "background:#8a2b00;font:15px system-ui,sans-serif"
    bar.textContent = "Disconnected: your settings are in the address bar. "
    const button = document.createElement("button")
    button.textContent = "Reload"
    button.style.cssText = "font:inherit;margin-left:12px;min-height:28px"
    button.onclick = () => location.reload()
    bar.append(button)
    document.body.append(bar)
}
